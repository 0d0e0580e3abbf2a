package jsonl

import "github.com/tidwall/gjson"

// Some are the first items of a list; all tells that there are no more. What is held of an item is much more than it is in the file where
// that is short: of a list without an end, which no agent writes, it would be all the memory there is. What is no list is one by itself.
func Some(list gjson.Result, most int) (items []gjson.Result, all bool) {
	if !list.IsArray() {
		return list.Array(), true
	}
	all = true
	list.ForEach(func(_, item gjson.Result) bool {
		if all = len(items) < most; all {
			items = append(items, item)
		}
		return all
	})
	return items, all
}
