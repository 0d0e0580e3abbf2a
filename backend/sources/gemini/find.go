package gemini

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"palimpsest/backend/sources"
)

// Find tells of each session once. Several files may have one session: what was said in it is in one of them, the others are what
// resuming it left. What a person saved of one is told of as a session of its own.
func (s Source) Find(ctx context.Context, env sources.Env, visit func(sources.Found) error) error {
	for _, root := range s.Roots(env) {
		known := projects(env, root)
		sessions, saved, err := s.told(ctx, env, root, known)
		if err != nil {
			return err
		}
		apart(sessions)
		nested(ctx, env, sessions)
		for _, f := range once(ctx, env, slices.Clone(sessions)) {
			if err := visit(f); err != nil {
				return err
			}
		}
		saved = savedOnce(saved)
		for i := range saved {
			if parent := parentOf(&saved[i], sessions, known); parent != "" {
				saved[i].Parent, saved[i].Relation = parent, sources.Fork
			}
			if err := visit(saved[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// apart lets subagents that no folder of a session tells of be sessions of their own. Some versions put them beside the session that
// started them, with its id.
func apart(sessions []sources.Found) {
	mains := map[string]bool{}
	for i := range sessions {
		mains[sessions[i].ID] = mains[sessions[i].ID] || sessions[i].Relation == ""
	}
	for i := range sessions {
		if f := &sessions[i]; f.Relation == sources.Subagent && filepath.Base(filepath.Dir(f.Files[0])) == "chats" && !mains[f.Parent] {
			f.ID, f.Row, f.Parent, f.Relation = f.Row, "", "", ""
		}
	}
}

// inChats tells whether a file is <root>/<project>/chats/<name>, or one folder below that, where a session's subagents are.
func inChats(root, path string) bool {
	name, err := filepath.Rel(root, path)
	if err != nil {
		return false
	}
	parts := strings.Split(filepath.ToSlash(name), "/")
	return len(parts) >= 3 && len(parts) <= 4 && parts[1] == "chats"
}
