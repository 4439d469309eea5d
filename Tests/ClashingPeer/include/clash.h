int clashing_host_value(void);
