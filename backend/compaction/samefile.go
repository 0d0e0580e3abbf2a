package compaction

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// byBase are the files among facts, by their last names.
func (f *finder) byBase() map[string][]string {
	files := map[string][]string{}
	for key := range f.facts {
		if key.kind == FactFile {
			base := path.Base(key.text)
			files[base] = append(files[base], key.text)
		}
	}
	return files
}

// joinFiles makes one of a file that was named from the root and from where people are: of what is the end of one path alone.
func (f *finder) joinFiles() {
	for _, same := range f.byBase() {
		slices.SortFunc(same, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b)) })
		var whole []string
		for _, name := range same {
			of := slices.IndexFunc(whole, func(path string) bool { return endsPath(path, name) })
			if of < 0 || slices.ContainsFunc(whole[of+1:], func(path string) bool { return endsPath(path, name) }) {
				whole = append(whole, name)
				continue
			}
			part, all := factKey{FactFile, name}, factKey{FactFile, whole[of]}
			file := f.facts[all]
			file.Seq = max(file.Seq, f.facts[part].Seq)
			f.facts[all] = file
			delete(f.facts, part)
		}
	}
}

// endsPath tells whether a path ends with the names of another one.
func endsPath(path, end string) bool {
	before, found := strings.CutSuffix(path, strings.TrimPrefix(end, "~/"))
	return path == end || found && strings.HasSuffix(before, "/")
}

// stayingIn are those of the facts that are also among others. A last name alone stands for a file if no other has it.
func (f *finder) stayingIn(others *finder) map[factKey]bool {
	stays, theirs, ours := map[factKey]bool{}, others.byBase(), f.byBase()
	for key := range f.facts {
		if _, ok := others.facts[key]; ok {
			stays[key] = true
			continue
		}
		base := path.Base(key.text)
		stays[key] = key.kind == FactFile && slices.ContainsFunc(theirs[base], func(other string) bool {
			return endsPath(other, key.text) || endsPath(key.text, other) && (strings.Contains(other, "/") || len(ours[base]) == 1)
		})
	}
	return stays
}
