def scaling_table(read): return []
def theorem_table(read): return []
