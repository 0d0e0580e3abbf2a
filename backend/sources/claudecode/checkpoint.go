package claudecode

import (
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// checkpoint is where Claude Code noted that the conversation goes on: a person who rewinds it may say nothing more. A row since takes it back.
type checkpoint struct {
	// leaf is the row that it goes on from, none for the very beginning. Explicit tells that a person chose it.
	leaf     string
	explicit bool
}

func (c *checkpoint) note(rec *jsonl.Fields) {
	leaf, explicit := rec.Get("leafUuid"), rec.Get("explicit").Bool()
	switch id := jsonl.Text(leaf); {
	case id != "":
		*c = checkpoint{id, explicit || c.explicit && c.leaf == id}
	case explicit && leaf.Raw == "null":
		*c = checkpoint{"", true}
	}
}

// rewound is where the conversation goes on if that is not where it ends. A note that nobody asked for counts only where the end is none of
// what followed from there.
func (r *reader) rewound() (to spot, is bool) {
	if r.checkpoint.leaf == "" {
		return nowhere, r.checkpoint.explicit
	}
	to, known := r.find(r.checkpoint.leaf)
	if !known || r.kept.gone(to) {
		return nowhere, false
	}
	for n := r.end; !r.checkpoint.explicit; n = r.node(n).prev {
		if n == to {
			return nowhere, false
		}
		if n == nowhere {
			break
		}
	}
	return r.behind(to, false), true
}

// last lets the log stand where the conversation does, if it does not.
func (r *reader) last() (aside bool) {
	to, rewound := r.rewound()
	if !rewound {
		to = r.end
	}
	if aside = r.at != to && (rewound || to != nowhere); aside {
		r.standAt(to, sources.Meta{Entry: "end"})
	}
	return aside
}

// rewind lets the log stand where a person chose to go on, so that a reading can go on from there, too.
func (r *reader) rewind(m sources.Meta) {
	if to, rewound := r.rewound(); rewound && r.checkpoint.explicit && r.at != to {
		r.standAt(to, m)
	}
}

func (r *reader) standAt(to spot, m sources.Meta) {
	r.goTo(to, m)
	r.restate(to, m)
}
