package states

import (
	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

// Active is the model in force, if a record in range names one; else nil.
func (o *Outlook) Active() *record.Model {
	var branch *record.Model
	for n := len(o.index.Overlays) - 1; n >= 0; n-- {
		at, rec := o.index.Overlays[n].Index, &o.index.Overlays[n].Record
		if at < o.kept {
			break
		}
		if !o.table.OnPath(at) {
			continue
		}
		if rec.Model != nil {
			return rec.Model
		}
		if b := rec.Branch; branch == nil && b != nil && b.FromSeq < rec.Seq {
			branch = b.ActiveModel
		}
	}
	if rec := OverlayAt(o.index, o.InForce); rec != nil && rec.Compaction.ActiveModel != nil {
		return rec.Compaction.ActiveModel
	}
	return branch
}

// LastAnswer is the index of the newest answer in range, -1 if there is none; then it may be one of those that the compaction in force has
// put in place of others.
func (o *Outlook) LastAnswer() (at int, replaced *record.Message) {
	for i := o.index.Lines.Len() - 1; i >= o.kept; i-- {
		if o.index.Lines.At(i).Kind == session.LineAssistant && o.table.OnPath(i) {
			return i, nil
		}
	}
	all := o.replacement()
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].Role == record.RoleAssistant {
			return -1, &all[i]
		}
	}
	return -1, nil
}
