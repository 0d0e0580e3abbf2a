package record

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/tidwall/gjson"
)

// checker collects the first thing that is wrong with a record to be written.
type checker struct {
	fields map[string]gjson.Result
	err    error
}

func (c *checker) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
}

func (c *checker) common(d *Draft) {
	if c.fields["seq"].Exists() {
		c.err = errors.New("has a seq; seqs are given out by the log, leave it out")
	}
	if version := c.fields["schemaVersion"]; version.Exists() {
		if n, ok := integer(version); !ok || n != versions[d.Type] {
			c.fail("schemaVersion is %s, not %d", shown(version), versions[d.Type])
		}
	}
	if stamp := c.fields["timestamp"]; stamp.Exists() {
		if d.Time = timeOf(stamp); d.Time.IsZero() {
			c.fail("timestamp is %s, not an ISO 8601 time with a zone", shown(stamp))
		}
	}
}

func (c *checker) body(d *Draft) {
	switch d.Type {
	case TypeMessage:
		c.message(d)
	case TypeCompaction:
		d.pointers = append(d.pointers, pointer{"firstKeptSeq", c.whole("firstKeptSeq", 1), true})
		c.text("summary")
		c.whole("tokensBefore", 0)
		c.texts("readFiles")
		c.texts("modifiedFiles")
		c.usage()
	case TypeBranch:
		d.pointers = append(d.pointers, pointer{"fromSeq", c.whole("fromSeq", 0), false})
		c.optionalText("summary")
		if c.fields["fromOffset"].Exists() {
			c.whole("fromOffset", 0)
		}
	case TypeRevert:
		d.pointers = append(d.pointers, pointer{"targetSeq", c.whole("targetSeq", 1), false})
	case TypePrune:
		c.prune(d)
	case TypeLabel:
		d.pointers = append(d.pointers, pointer{"targetSeq", c.whole("targetSeq", 1), false})
		c.text("label")
	case TypeModel:
		c.text("provider")
		c.text("model")
	case TypeNote:
		c.text("namespace")
		if !c.fields["data"].Exists() || !c.fields["display"].IsBool() {
			c.fail("a note needs data, and display: true or false")
		}
		if role := c.fields["role"]; role.Exists() && !slices.Contains([]Role{RoleUser, RoleAssistant}, Role(text(role))) {
			c.fail("role is %s, not user or assistant", shown(role))
		}
		if content := c.fields["content"]; content.Exists() {
			c.blocks(content, RoleUser)
		}
	}
}

func (c *checker) message(d *Draft) {
	d.Role = Role(text(c.fields["role"]))
	if !slices.Contains([]Role{RoleUser, RoleAssistant, RoleToolResult}, d.Role) {
		c.fail("role is %s, not user, assistant or toolResult", shown(c.fields["role"]))
	}
	c.blocks(c.fields["content"], d.Role)
	c.answer()
	id, isError := c.fields["toolCallId"], c.fields["isError"]
	if d.Role != RoleToolResult {
		if id.Exists() || isError.Exists() {
			c.fail("toolCallId and isError belong to tool results only")
		}
		return
	}
	if text(id) == "" {
		c.fail("a tool result needs its toolCallId")
	}
	if isError.Exists() && !isError.IsBool() {
		c.fail("isError is %s, not true or false", shown(isError))
	}
}

// stopReasons are how an assistant message may end.
var stopReasons = []string{"stop", "toolUse", "length", StopAborted, StopError}

// answer checks what a message may say of the model that wrote it.
func (c *checker) answer() {
	for _, name := range []string{"model", "provider", "errorMessage"} {
		c.optionalText(name)
	}
	if reason := c.fields["stopReason"]; reason.Exists() && !slices.Contains(stopReasons, text(reason)) {
		c.fail("stopReason is %s, not one of %v", shown(reason), stopReasons)
	}
	c.usage()
}

// usage checks what a request is said to have taken.
func (c *checker) usage() {
	usage := c.fields["usage"]
	if !usage.Exists() {
		return
	}
	if !usage.IsObject() {
		c.fail("usage is %s, not an object", shown(usage))
	}
	for name, value := range fieldsOf(usage, "input", "output", "cacheRead", "cacheWrite") {
		if n, ok := integer(value); !ok || n < 0 {
			c.fail("usage.%s is %s, not a whole number from 0 on", name, shown(value))
		}
	}
	if cost := usage.Get("cost"); cost.Exists() && (cost.Type != gjson.Number || !(cost.Num >= 0)) {
		c.fail("usage.cost is %s, not a number from 0 on", shown(cost))
	}
}

func (c *checker) prune(d *Draft) {
	seqs := c.fields["seqs"]
	if !seqs.IsArray() || len(seqs.Array()) == 0 {
		c.fail("seqs is %s, not a list of seqs", shown(seqs))
	}
	seqs.ForEach(func(_, member gjson.Result) bool {
		n, ok := integer(member)
		if !ok || n < 1 {
			c.fail("seqs holds %s, not a seq", shown(member))
		}
		d.pointers = append(d.pointers, pointer{"seqs", n, false})
		return true
	})
	c.whole("tokensFreed", 0)
	if texts := c.fields["texts"]; texts.Exists() {
		c.texts("texts")
		if len(texts.Array()) != len(seqs.Array()) {
			c.fail("texts has not one for each of seqs")
		}
	}
}

var blobName = regexp.MustCompile(`^[0-9a-f]{64}$`)

// blocks checks content: an array of blocks, never a bare string.
func (c *checker) blocks(content gjson.Result, role Role) {
	if !content.IsArray() {
		c.fail("content is %s, not an array of blocks", shown(content))
		return
	}
	content.ForEach(func(index, value gjson.Result) bool {
		if why := blockFault(value, role); why != "" {
			c.fail("content block %d: %s", index.Int()+1, why)
		}
		return c.err == nil
	})
}

func blockFault(value gjson.Result, role Role) string {
	block := decodeBlock(value)
	if aside := value.Get("aside"); aside.Exists() && (!aside.IsBool() || aside.Bool() != block.Aside) {
		return "aside is true or false, and true only of text, thinking and images"
	}
	switch block.Kind {
	case BlockUnknown, BlockAsIs:
		return shown(value) + " is no complete text, toolCall, thinking or image block"
	case BlockToolCall:
		if role != RoleAssistant {
			return "only an assistant makes tool calls"
		}
		if !gjson.Parse(block.Arguments).IsObject() {
			return "the tool call's arguments are not an object"
		}
		if value.Get("arguments").Type == gjson.Null {
			return "the tool call has no arguments; an empty object will do"
		}
	case BlockImage:
		if !blobName.MatchString(block.Blob) {
			return "blob is not a SHA-256 in hex"
		}
	case BlockThinking:
		if value.Get("text").Type != gjson.String {
			return "the thinking has no text"
		}
	case BlockText:
	}
	return ""
}

func (c *checker) text(name string) {
	if c.fields[name].Type != gjson.String {
		c.fail("%s is %s, not a string", name, shown(c.fields[name]))
	}
}

func (c *checker) optionalText(name string) {
	if c.fields[name].Exists() {
		c.text(name)
	}
}

func (c *checker) texts(name string) {
	value := c.fields[name]
	if !value.IsArray() {
		c.fail("%s is %s, not an array of strings", name, shown(value))
		return
	}
	if len(stringList(value)) != len(value.Array()) {
		c.fail("%s holds something that is not a string", name)
	}
}

func (c *checker) whole(name string, least int64) int64 {
	n, ok := integer(c.fields[name])
	if !ok || n < least {
		c.fail("%s is %s, not a whole number from %d on", name, shown(c.fields[name]), least)
	}
	return n
}

// Time formats t as records and metadata write it.
func Time(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
