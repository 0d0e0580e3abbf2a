package agent

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// NoReply at the beginning of an answer says that it is not for the user: it is recorded, and not told.
const NoReply = "NO_REPLY"

// gate holds an answer back as long as it could still begin with the token, and for good if it does.
type gate struct {
	out  func(string)
	held strings.Builder
	open bool
	shut bool
}

func (g *gate) write(piece string) {
	if g.open {
		g.out(piece)
		return
	}
	if g.shut {
		return
	}
	g.held.WriteString(piece)
	text := strings.TrimLeftFunc(g.held.String(), unicode.IsSpace)
	switch rest, begins := strings.CutPrefix(text, NoReply); {
	case !begins && strings.HasPrefix(NoReply, text), begins && rest == "":
	case begins && !wordBegins(rest):
		g.shut = true
	default:
		g.release()
	}
}

// end tells what is held if nothing more can make it the token.
func (g *gate) end() {
	if !g.open && !g.shut && strings.TrimSpace(g.held.String()) != NoReply {
		g.release()
	}
}

func (g *gate) release() {
	g.open = true
	if g.held.Len() > 0 {
		g.out(g.held.String())
	}
}

// wordBegins tells whether a word goes on: NO_REPLYING is not the token.
func wordBegins(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
}
