package jsonl

import (
	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
)

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

// itemsMost is how many items are read of a list in one message.
var itemsMost = 1 << 16

// Items are those of a list in a message.
func Items(list gjson.Result) []gjson.Result {
	items, _ := Some(list, itemsMost)
	return items
}

// Told are [Items] of which the log says where there are more than are read; what tells what they are.
func Told(log *sources.Log, what string, list gjson.Result) []gjson.Result {
	items, all := Some(list, itemsMost)
	if !all {
		log.Overlong(what, "list", int64(len(list.Raw)))
	}
	return items
}
