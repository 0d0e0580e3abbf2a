package many

// TestOnlyLittle has memory hold next to nothing until a test ends, so that one that reads a short file sees what would grow with a long one.
func TestOnlyLittle(t interface{ Cleanup(f func()) }) {
	parts, table := partsMost, tableMost
	t.Cleanup(func() { partsMost, tableMost = parts, table })
	partsMost, tableMost = 2, 1<<8
}

// PartsMost is how many parts of a long list are in memory.
func PartsMost() int { return partsMost }
