package sourcetest

import (
	"fmt"
	"strings"
	"testing"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
)

// EnvWith is a machine whose environment has these variables, each NAME=value.
func EnvWith(t testing.TB, home string, variables ...string) sources.Env {
	t.Helper()
	env := Env(t, home)
	env.Getenv = func(name string) string {
		for _, v := range variables {
			if value, is := strings.CutPrefix(v, name+"="); is {
				return value
			}
		}
		return ""
	}
	return env
}

// Home is a new home with these files: names with slashes, and what is in them.
func Home(t testing.TB, files map[string]string) string {
	t.Helper()
	home := t.TempDir()
	for name, text := range files {
		Write(t, home, name, text)
	}
	return home
}

// ByID is what was found, by id.
func ByID(found []sources.Found) map[string]sources.Found {
	out := map[string]sources.Found{}
	for i := range found {
		out[found[i].ID] = found[i]
	}
	return out
}

// Story is every record in short, a line each.
func (r *Reading) Story() string {
	var out strings.Builder
	for _, rec := range r.Records {
		fmt.Fprintf(&out, "%d %s%s\n", rec.Seq, rec.Type, tell(rec))
	}
	return out.String()
}

func tell(rec record.Record) string {
	switch {
	case rec.Message != nil:
		ending := ""
		if rec.Message.StopReason != "" {
			ending = " (" + rec.Message.StopReason + ")"
		}
		return fmt.Sprintf(" %s%s:%s%s", rec.Message.Role, failed(rec.Message.IsError), inShort(rec.Message.Content), ending)
	case rec.Compaction != nil:
		var out strings.Builder
		fmt.Fprintf(&out, " from %d %s: %s", rec.Compaction.FirstKeptSeq, rec.Compaction.Trigger, short(rec.Compaction.Summary))
		for _, m := range rec.Compaction.Replacement {
			fmt.Fprintf(&out, "\n  %s:%s", m.Role, inShort(m.Content))
		}
		return out.String()
	case rec.Branch != nil:
		return fmt.Sprintf(" from %d %s", rec.Branch.FromSeq, short(rec.Branch.Summary))
	case rec.Prune != nil:
		return fmt.Sprintf(" %v", rec.Prune.Seqs)
	case rec.Note != nil:
		return fmt.Sprintf(" %s:%s", rec.Note.Namespace, inShort(rec.Note.Content))
	case rec.Label != nil:
		return fmt.Sprintf(" %d %s", rec.Label.TargetSeq, rec.Label.Label)
	case rec.Model != nil:
		return fmt.Sprintf(" %s/%s", rec.Model.Provider, rec.Model.Model)
	}
	return ""
}

// Seen is the context in short, a line for a message; summaries are in guillemets.
func (r *Reading) Seen(t testing.TB) string {
	t.Helper()
	var out strings.Builder
	for _, m := range r.Context(t).Messages {
		fmt.Fprintf(&out, "%s%s:%s\n", m.Role, failed(m.IsError), inShort(m.Content))
	}
	return out.String()
}

func failed(is bool) string {
	if is {
		return "!"
	}
	return ""
}

func inShort(content []record.Block) string {
	var out strings.Builder
	for _, b := range content {
		switch b.Kind {
		case record.BlockText:
			text := b.Text
			if _, rest, is := strings.Cut(text, "<summary>\n"); is {
				text = "«" + strings.TrimSuffix(rest, "\n</summary>") + "»"
			}
			out.WriteString(" " + short(text))
		case record.BlockThinking:
			out.WriteString(" ~" + short(b.Text))
		case record.BlockToolCall:
			out.WriteString(" " + b.Name + "#" + b.ID + short(b.Arguments))
		case record.BlockImage:
			out.WriteString(" [image]")
		case record.BlockAsIs:
			out.WriteString(" [as it is]")
		case record.BlockUnknown:
			out.WriteString(" [?]")
		}
	}
	return out.String()
}

func short(text string) string {
	const most = 90
	text = strings.ReplaceAll(text, "\n", "\\n")
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}

// Triggers are what set off each compaction.
func (r *Reading) Triggers() []string {
	var out []string
	for _, rec := range r.Records {
		if rec.Compaction != nil {
			out = append(out, rec.Compaction.Trigger)
		}
	}
	return out
}
