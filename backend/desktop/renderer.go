package desktop

import (
	"slices"
	"time"
)

// rendererVariable lets a user choose how WebKit draws: plain or safe. Safe is slower, and works where drivers don't.
// The program sets it to retried when it starts itself again.
const rendererVariable = "PALIMPSEST_RENDERER"

// renderer is a choice of settings for WebKit's drawing, from fast to safe.
type renderer string

const (
	plain   renderer = "plain"
	safe    renderer = "safe"
	retried renderer = "retried" // safe, after plain showed nothing
)

// trust is how long a safe renderer that worked is kept: updates mend drivers, so plain deserves another chance.
const trust = 30 * 24 * time.Hour

// setting is a variable of the environment that WebKit or a graphics library reads once, when it starts.
type setting struct{ name, value string }

// settings of a renderer. The DMABUF renderer leaves windows blank on NVIDIA and some Wayland desktops and gains
// nothing for text, so none has it. Safe ones draw without the GPU altogether.
func (r renderer) settings() []setting {
	list := []setting{{"WEBKIT_DISABLE_DMABUF_RENDERER", "1"}}
	if r != plain {
		list = append(list,
			setting{"WEBKIT_DISABLE_COMPOSITING_MODE", "1"},
			setting{"WEBKIT_DMABUF_RENDERER_DISABLE_GBM", "1"},
			setting{"LIBGL_ALWAYS_SOFTWARE", "1"})
	}
	return list
}

// open are the settings that the user has not chosen, in the environment that lookup reads.
func (r renderer) open(lookup func(string) (string, bool)) []setting {
	return slices.DeleteFunc(r.settings(), func(s setting) bool {
		_, chosen := lookup(s.name)
		return chosen
	})
}

// worked is what is remembered of a safe renderer that showed a page where plain did not.
type worked struct {
	Renderer renderer  `json:"renderer"`
	Version  string    `json:"version"`
	Since    time.Time `json:"since"`
}

// attempt is how the program starts: with which renderer, and whether it may start again with a safer one.
type attempt struct {
	renderer renderer
	again    bool
}

// begin decides on the renderer: what the user says, else what worked for this version lately, else plain.
func begin(said renderer, memory worked, version string, now time.Time) attempt {
	switch said {
	case plain, safe, retried:
		return attempt{renderer: said}
	}
	age := now.Sub(memory.Since)
	if memory.Renderer == safe && memory.Version == version && age >= 0 && age < trust {
		return attempt{renderer: safe}
	}
	return attempt{renderer: plain, again: true}
}
