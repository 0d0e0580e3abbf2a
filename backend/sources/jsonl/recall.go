package jsonl

import (
	"context"
	"io/fs"
	"os"
	"slices"

	"palimpsest/backend/sources"
)

// ahead is how many files are opened before the first of them is looked at.
const ahead = 4

// RecallAll is what files tell, side by side: look is called, with the number of a path, for those of which it is not remembered, and
// closes the file that it gets. A few are opened before the first of them is looked at, and the system is told what will be read of each.
// So the disk reads it all while nobody waits for it, and each wait would take two switches of threads: a first list of files that are
// not in the system's memory takes a tenth less processor time.
func RecallAll(
	ctx context.Context, m *sources.Memory, agent string, paths []string, look func(i int, file *File, err error) (sources.Told, bool),
) ([]sources.Told, error) {
	all := make([]sources.Told, len(paths))
	numbers := make([]int, len(paths))
	for i := range numbers {
		numbers[i] = i
	}
	some := slices.Collect(slices.Chunk(numbers, ahead))
	err := sources.SideBySide(ctx, len(some), func(n int) {
		var opened [ahead]*begun
		for k, i := range some[n] {
			opened[k] = begin(m, agent, paths[i], &all[i])
		}
		for k, i := range some[n] {
			if b := opened[k]; b != nil {
				all[i] = m.RecallAs(b.info, agent, paths[i], func() (sources.Told, bool) { return look(i, b.file, b.err) })
			}
		}
	})
	return all, err
}

// begun is a file that is to be looked at, and info what it was like before it was opened.
type begun struct {
	info fs.FileInfo
	file *File
	err  error
}

// begin opens a file, and is nil if what it tells is remembered.
func begin(m *sources.Memory, agent, path string, told *sources.Told) *begun {
	info, err := os.Lstat(path)
	if err != nil {
		return &begun{err: err}
	}
	var known bool
	if *told, known = m.KnownAs(info, agent, path); known {
		return nil
	}
	b := &begun{info: info}
	if b.file, b.err = open(path, info); b.err == nil {
		b.file.willRead()
	}
	return b
}
