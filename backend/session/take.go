package session

import "palimpsest/backend/record"

// Take indexes the next line for who has read it already, as [Index.Follow] would but for the counts and the damage; a line without a record is
// a damaged one. Nothing can be indexed behind it in another way.
func (x *Index) Take(offset, length int64, rec *record.Record) (i int, line Line) {
	i, line = x.Lines.Len(), Line{Offset: offset, Length: length}
	x.Size = offset + length + 1
	if rec != nil {
		line.Seq, line.Kind = rec.Seq, kindOf(rec.Header)
		if rec.Aside() && !rec.Newer {
			line.Kind = LineAside
		} else if line.Kind == LineOverlay {
			line.Kind = x.overlay(i, rec)
		}
	}
	x.Lines.add(line)
	return i, line
}
