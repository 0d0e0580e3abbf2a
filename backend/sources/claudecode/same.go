package claudecode

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"palimpsest/backend/record"
	"palimpsest/backend/sources/jsonl"
)

// sameOf names what a row says, in the same way in every file that has a copy of it; empty where nothing does. An answer has the name that
// its server gave it, and the number of the request, which is the server's, or in newer versions Claude Code's own: some versions gave the rows
// that they copied other ids. Servers other than Anthropic's use a name again, and give no number: when it was said stands for that where Claude
// Code gave none. It does not where it did, since the first row of an answer, which says when, may not be in a copy. All else has the id of
// its row.
func sameOf(rec jsonl.Object, at time.Time) string {
	if rec.Get("type").Str == "assistant" && !rec.Get("isApiErrorMessage").Bool() {
		message, request := jsonl.Text(rec.Get("message.id")), cmp.Or(jsonl.Text(rec.Get("requestId")), jsonl.Text(rec.Get("requestRef")))
		switch {
		case message != "" && request != "":
			return message + " " + request
		case message != "" && !at.IsZero():
			return message + " " + strconv.FormatInt(at.UnixMilli(), 10)
		}
	}
	return jsonl.Text(rec.Get("uuid"))
}

// sameOfRows names an answer by each of its rows, where these have names of their own: a copy may lack the first of them, and the last.
func sameOfRows(rows []jsonl.Object) string {
	var names []string
	for _, row := range rows {
		name := sameOf(row, jsonl.Time(row.Get("timestamp")))
		if n := len(names); name != "" && (n == 0 || names[n-1] != name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, record.SameAlso)
}
