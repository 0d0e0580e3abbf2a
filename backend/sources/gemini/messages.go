package gemini

import (
	"iter"

	"github.com/tidwall/gjson"
)

// messages are those of a list. Where they are in a file, each is read whenever it is asked for.
type messages struct {
	count int
	at    func(i int) gjson.Result
}

func listOf(all []gjson.Result) messages {
	return messages{len(all), func(i int) gjson.Result { return all[i] }}
}

// to are the first ones.
func (m messages) to(count int) messages { return messages{count, m.at} }

// from are those from one on, with where they stand.
func (m messages) from(first int) iter.Seq2[int, gjson.Result] {
	return func(yield func(int, gjson.Result) bool) {
		for i := first; i < m.count; i++ {
			if !yield(i, m.at(i)) {
				return
			}
		}
	}
}
