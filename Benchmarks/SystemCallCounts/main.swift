print("counts")
