package index

import (
	"regexp/syntax"
	"slices"
)

// As Cox has it in "Regular Expression Matching with a Trigram Index", few texts are followed as they are, and of many it is only known
// what they need.
const (
	// textsMost is how many texts an expression may stand for, and classMost how many characters one place in it: each has its filters
	// asked, and what they let through looked at.
	textsMost = 32
	classMost = 8
	// textLeast is how many bytes each of several texts has: shorter ones are everywhere.
	textLeast = 3
	// copiesMost is how often a part that is repeated is followed.
	copiesMost = 8
)

// reach is what is known of what an expression matches: the only texts that it does, folded, sorted, each once, or what it needs.
type reach struct {
	texts []string
	need  *need
}

func (r reach) asNeed() *need {
	switch {
	case len(r.texts) == 0:
		return r.need
	case len(r.texts) == 1:
		return needLiteral([]byte(r.texts[0]))
	case slices.ContainsFunc(r.texts, func(text string) bool { return len(text) < textLeast }):
		return nil
	}
	var out need
	for _, text := range r.texts {
		out.any = append(out.any, needLiteral([]byte(text)))
	}
	return &out
}

// empty is what matches no character.
var empty = reach{texts: []string{""}}

func reachOf(re *syntax.Regexp) reach {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return empty
	case syntax.OpLiteral:
		return reach{texts: []string{foldedOf(re.Rune)}}
	case syntax.OpCharClass:
		return reachOfClass(re.Rune)
	case syntax.OpCapture:
		return reachOf(re.Sub[0])
	case syntax.OpQuest:
		return anyOf([]reach{empty, reachOf(re.Sub[0])})
	case syntax.OpPlus:
		return reach{need: needOf(re.Sub[0])}
	case syntax.OpRepeat:
		copies := concat(slices.Repeat([]reach{reachOf(re.Sub[0])}, min(re.Min, copiesMost)))
		if re.Min == re.Max && re.Min <= copiesMost {
			return copies
		}
		return reach{need: copies.asNeed()}
	case syntax.OpConcat:
		return concat(reachesOf(re.Sub))
	case syntax.OpAlternate:
		return anyOf(reachesOf(re.Sub))
	}
	return reach{}
}

func reachesOf(subs []*syntax.Regexp) []reach {
	out := make([]reach, len(subs))
	for i, sub := range subs {
		out[i] = reachOf(sub)
	}
	return out
}

func foldedOf(runes []rune) string {
	folded, _ := appendFolded(nil, []byte(string(runes)))
	return string(folded)
}

// reachOfClass is one of some characters, which are given as the first and the last of each range.
func reachOfClass(ranges []rune) reach {
	const most = 4 * classMost // as they are written: case may make two of one, or more
	var texts []string
	for i := 0; i+1 < len(ranges); i += 2 {
		if len(texts)+int(ranges[i+1]-ranges[i]) >= most {
			return reach{}
		}
		for r := ranges[i]; r <= ranges[i+1]; r++ {
			texts = append(texts, foldedOf([]rune{r}))
		}
	}
	if texts = once(texts); len(texts) > classMost {
		return reach{}
	}
	return reach{texts: texts}
}

func once(texts []string) []string {
	slices.Sort(texts)
	return slices.Compact(texts)
}

// concat is one after the other.
func concat(parts []reach) reach {
	run := empty.texts
	var all []*need
	whole := true
	for _, part := range parts {
		if len(part.texts) > 0 && len(part.texts)*len(run) <= textsMost {
			run = product(run, part.texts)
			continue
		}
		whole = false
		all = appendNeed(all, reach{texts: run}.asNeed())
		if run = part.texts; len(run) == 0 {
			all = appendNeed(all, part.need)
			run = empty.texts
		}
	}
	if whole {
		return reach{texts: run}
	}
	return reach{need: allOf(appendNeed(all, reach{texts: run}.asNeed()))}
}

// product is each of some texts with each of others behind it.
func product(some, behind []string) []string {
	out := make([]string, 0, len(some)*len(behind))
	for _, text := range some {
		for _, end := range behind {
			out = append(out, text+end)
		}
	}
	return once(out)
}

// anyOf is one of some.
func anyOf(parts []reach) reach {
	var texts []string
	var needs need
	known := true
	for _, part := range parts {
		known = known && len(part.texts) > 0
		texts = append(texts, part.texts...)
		needs.any = append(needs.any, part.asNeed())
	}
	if texts = once(texts); known && len(texts) <= textsMost {
		return reach{texts: texts}
	}
	if slices.Contains(needs.any, nil) {
		return reach{}
	}
	return reach{need: &needs}
}

func appendNeed(all []*need, n *need) []*need {
	if n == nil {
		return all
	}
	return append(all, n)
}

func allOf(all []*need) *need {
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return &need{all: all}
}
