package picoclaw

import (
	"context"
	"strings"

	"palimpsest/backend/sources"
)

// Beside is what stands beside the messages of a session.
func (Source) Beside(_ context.Context, _ sources.Env, found sources.Found) []string {
	if path, is := strings.CutSuffix(found.Files[0], ".jsonl"); is {
		return []string{path + ".meta.json"}
	}
	return nil
}
