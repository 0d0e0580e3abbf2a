package backend

import (
	"context"
	"errors"

	"palimpsest/backend/library"
	"palimpsest/backend/session"
)

// Checked is what a check of one session finds.
type Checked struct {
	session.Report
	// File is what the session was read from, if it is another agent's, and Problem why it was not read to its end.
	File    string `json:"file,omitempty"`
	Problem string `json:"problem,omitempty"`
}

// Sound is false if there is damage other than what a crash left, or an end that could not be read.
func (c Checked) Sound() bool { return c.Report.Sound() && c.Problem == "" }

// checkForeign verifies a reading: the lines that its source could not read are damage there.
//
//nolint:contextcheck,nolintlint // its callers need not pass a context: who wants to stop it calls [Backend.Prepare] first
func (b *Backend) checkForeign(id string) (Checked, error) {
	r, err := b.reading(context.Background(), id)
	if err != nil {
		return Checked{}, err
	}
	report, err := b.library.Store().Check(r.ID)
	report.ID = id
	report.Damage = allLost(theirs(id, session.Metadata{}), report.Damage)
	return Checked{Report: report, File: r.Found.Files[0], Problem: r.Problem}, err
}

// Check verifies one session; it writes nothing.
func (b *Backend) Check(id string) (Checked, error) {
	if library.IsRef(id) {
		return b.checkForeign(id)
	}
	report, err := b.store.Check(id)
	return Checked{Report: report}, err
}

// CheckAll verifies every session, the newest id last. One that can't be read does not keep the others from being
// checked: the error then comes with the reports of those that can.
func (b *Backend) CheckAll(ctx context.Context) ([]session.Report, error) {
	reports := []session.Report{}
	ids, err := b.store.IDs()
	if err != nil {
		return reports, err
	}
	var unread []error
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return reports, errors.Join(append(unread, err)...)
		}
		report, err := b.store.Check(id)
		if err != nil {
			unread = append(unread, err)
			continue
		}
		reports = append(reports, report)
	}
	return reports, errors.Join(unread...)
}
