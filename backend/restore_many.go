package backend

import "context"

// RestoredMany is what came back from the trash.
type RestoredMany struct {
	IDs []string `json:"ids"`
	// Failed are the first that could not be brought back, with why; FailedCount is how many there are.
	Failed      []CleanupFailure `json:"failed"`
	FailedCount int              `json:"failedCount"`
}

// RestoreMany brings sessions back from the trash. One that fails keeps no other from it. An error is that of a context which ended: what
// came back until then stays.
func (b *Backend) RestoreMany(ctx context.Context, ids []string) (RestoredMany, error) {
	out := RestoredMany{IDs: []string{}, Failed: []CleanupFailure{}}
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		err := b.store.Restore(id) //nolint:contextcheck // one that has begun to come back does so whole
		if err == nil {
			out.IDs = append(out.IDs, id)
			continue
		}
		if out.FailedCount++; out.FailedCount <= cleanedFailures {
			out.Failed = append(out.Failed, CleanupFailure{id, ProblemOf(err)})
		}
	}
	return out, nil
}
