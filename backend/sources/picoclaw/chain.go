package picoclaw

import (
	"slices"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
)

// chain is what a context has come to. PicoClaw sends calls only behind a prompt or results, and results only behind calls that it sends: what
// a model called again right behind its answer, or a beginning that was taken out has left without a prompt, is in no request.
type chain int

const (
	atBegin chain = iota
	// behindUnread is behind a line that nobody can read, or where what stands before is left out: that may have been anything.
	behindUnread
	behindPrompt
	behindCalls
	behindResult
	behindAnswer
)

// next goes on with a message; false for one that is not sent.
func (c *chain) next(m *sources.Message) bool {
	now := behindAnswer
	switch {
	case m.Role == record.RoleUser:
		now = behindPrompt
	case m.Role == record.RoleToolResult && (*c == behindCalls || *c == behindResult || *c == behindUnread):
		now = behindResult
	case m.Role == record.RoleToolResult:
		return false
	case len(m.Content) > 0 && !slices.ContainsFunc(m.Content, func(b sources.Block) bool { return b.Type != "thinking" }):
		return true // which is in no request, and between nothing
	case !slices.ContainsFunc(m.Content, func(b sources.Block) bool { return b.Type == "toolCall" }):
	case *c != behindPrompt && *c != behindResult && *c != behindUnread:
		return false
	default:
		now = behindCalls
	}
	*c = now
	return true
}
