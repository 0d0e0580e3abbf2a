package jsonl

import (
	"strings"

	"github.com/tidwall/gjson"
)

// Member is the first member of an object that has this name, as [gjson.Result.Get] finds it, in a fraction of the time where texts are long.
func Member(object gjson.Result, name string) gjson.Result {
	if !object.IsObject() {
		return gjson.Result{}
	}
	var found string
	_, whole := eachMember(object.Raw, func(key, value string) bool {
		if nameIn(key) != name {
			return true
		}
		found = value
		return false
	})
	switch {
	case found != "":
		return valueOf(found)
	case whole:
		return gjson.Result{}
	}
	return object.Get(gjson.Escape(name))
}

// Listed visits the items of a list, as [gjson.Result.ForEach] does, in a fraction of the time where texts are long; of anything else what
// that visits.
func Listed(list gjson.Result, visit func(item gjson.Result) bool) {
	seen, enough := 0, false
	whole := eachItem(list.Raw, func(item string) bool {
		seen++
		enough = !visit(valueOf(item))
		return !enough
	})
	if whole || enough {
		return
	}
	list.ForEach(func(_, item gjson.Result) bool {
		if seen--; seen >= 0 {
			return true
		}
		return visit(item)
	})
}

// eachItem visits the items of a list as they stand, until visit says that it is enough; not whole if it does, or if that is not a list, as
// far as its outermost values go.
func eachItem(text string, visit func(item string) bool) (whole bool) {
	i := gap(text, 0)
	if i == len(text) || text[i] != '[' {
		return false
	}
	if i = gap(text, i+1); i < len(text) && text[i] == ']' {
		return true
	}
	for i < len(text) {
		end := valueEnd(text, i)
		if end == i || !visit(text[i:end]) {
			return false
		}
		if i = gap(text, end); i == len(text) || text[i] == ']' {
			return i < len(text)
		}
		if text[i] != ',' {
			return false
		}
		i = gap(text, i+1)
	}
	return false
}

// at is what a path of names leads to, as [gjson.Result.Get] has it.
func at(value gjson.Result, path string) gjson.Result {
	for {
		name, rest, deeper := strings.Cut(path, ".")
		if !value.IsObject() || !isName(name) {
			return value.Get(path)
		}
		if value = Member(value, name); !deeper {
			return value
		}
		path = rest
	}
}

// isName tells that a part of a path is no more than a name.
func isName(part string) bool {
	for i := range len(part) {
		if c := part[i] | 0x20; !('a' <= c && c <= 'z' || part[i] == '_') {
			return false
		}
	}
	return part != ""
}
