print("contention")
