package inject

import (
	"strings"
	"time"

	"palimpsest/backend/tokens"
)

// Kind says what a part is.
type Kind string

// The kinds of parts, in the order in which they are sent: what changes least comes first, for the caches of servers.
const (
	KindSystem      Kind = "system"
	KindAgents      Kind = "agents"
	KindEnvironment Kind = "environment"
	KindMemory      Kind = "memory"
)

// Options say what to inject.
type Options struct {
	// Override is the session's own system prompt, and System the user's; empty for the next one, and at last for [Prompt].
	Override, System string
	// Cwd is the session's folder, empty if it has none.
	Cwd string
	// UserHome is the user's home directory, above which nothing is looked for.
	UserHome string
	// RecallTokens is how much of memory is recalled; 0 for none.
	RecallTokens int
	// Now is the time of the request.
	Now time.Time
}

// Part is one piece of what is injected.
type Part struct {
	Kind Kind
	// Path is the file that it comes from, empty if none.
	Path string
	Text string
	// Cut tells that the file has more.
	Cut bool
	// Tokens is the raw estimate of the text.
	Tokens int
}

// Skip is a file that was left out.
type Skip struct{ Path, Reason string }

// Context is everything that is injected.
type Context struct {
	Parts   []Part
	Skipped []Skip
}

// Build reads what there is.
func Build(o Options) Context {
	var c Context
	c.add(Part{Kind: KindSystem, Text: first(o.Override, o.System, Prompt)})
	c.agents(o)
	c.add(Part{Kind: KindEnvironment, Text: environment(o)})
	c.memory(o)
	return c
}

func first(texts ...string) string {
	for _, text := range texts {
		if strings.TrimSpace(text) != "" {
			return text
		}
	}
	return ""
}

func (c *Context) add(p Part) {
	p.Tokens = tokens.Estimate(p.Text)
	c.Parts = append(c.Parts, p)
}

func (c *Context) skip(path, reason string) {
	c.Skipped = append(c.Skipped, Skip{path, reason})
}

// Text is all parts as they are sent, in one system message.
func (c *Context) Text() string {
	texts := make([]string, len(c.Parts))
	for i := range c.Parts {
		texts[i] = strings.TrimSpace(c.Parts[i].Text)
	}
	return strings.Join(texts, "\n\n")
}

// Tokens is the raw estimate of all parts.
func (c *Context) Tokens() int {
	total := 0
	for i := range c.Parts {
		total += c.Parts[i].Tokens
	}
	return total
}

// tagged puts a file's text between marks that say which file it is.
func tagged(tag, path, text string) string {
	name := strings.NewReplacer(`"`, "'", "<", "(", ">", ")").Replace(oneLine(path))
	return "<" + tag + ` file="` + name + "\">\n" + strings.TrimRight(text, "\n") + "\n</" + tag + ">"
}
