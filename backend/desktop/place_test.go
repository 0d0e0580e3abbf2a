package desktop

import "testing"

var at = place{Width: 1000, Height: 700, X: 40, Y: 50, Placed: true}

func TestNext(t *testing.T) {
	moved := place{Width: 800, Height: 600, X: -200, Y: 10, Placed: true}
	maximised := at
	maximised.Maximised = true
	for name, c := range map[string]struct {
		seen view
		want place
	}{
		"moved":                {view{place: moved}, moved},
		"maximised":            {view{place: place{Width: 1920, Height: 1080, Placed: true, Maximised: true}}, maximised},
		"minimised":            {view{place: moved, away: true}, at},
		"minimised on Windows": {view{place: place{Width: 800, Height: 600, X: -32000, Y: -32000, Placed: true}}, at},
		"without a size":       {view{}, at},
		"too small to be true": {view{place: place{Width: 160, Height: 28, Placed: true}}, at},
		"on Wayland":           {view{place: place{Width: 800, Height: 600}}, place{Width: 800, Height: 600}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := at.next(c.seen); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

func TestBegun(t *testing.T) {
	first := place{Width: firstWidth, Height: firstHeight}
	for name, c := range map[string]struct{ kept, want place }{
		"nothing":      {place{}, first},
		"a good place": {at, at},
		"no width":     {place{Height: 700, Maximised: true}, first},
		"too large":    {place{Width: 1 << 20, Height: 700}, first},
		"far away":     {place{Width: 1000, Height: 700, X: 1 << 20, Placed: true}, first},
	} {
		t.Run(name, func(t *testing.T) {
			if got := begun(c.kept); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

func TestFit(t *testing.T) {
	left, right := display{0, 0, 1920, 1080}, display{1920, -200, 1280, 1024}
	away := func(p place) place { p.Placed = false; return p }
	size := func(p place, w, h int) place { p.Width, p.Height = w, h; return p }
	to := func(x, y int) place { return place{Width: 1000, Height: 700, X: x, Y: y, Placed: true} }
	for name, c := range map[string]struct {
		from     place
		displays []display
		want     place
	}{
		"on the display":             {at, []display{left}, at},
		"nothing known of displays":  {at, nil, at},
		"on the second":              {to(2000, -150), []display{left, right}, to(2000, -150)},
		"the second is gone":         {to(2000, -150), []display{left}, away(to(2000, -150))},
		"partly out at the left":     {to(-800, 10), []display{left}, to(-800, 10)},
		"a sliver at the left":       {to(-950, 10), []display{left}, away(to(-950, 10))},
		"above the display":          {to(10, -40), []display{left}, away(to(10, -40))},
		"below the display":          {to(10, 1070), []display{left}, away(to(10, 1070))},
		"larger than the display":    {size(at, 3000, 2000), []display{left}, size(at, 1920, 1080)},
		"a display below the least":  {at, []display{{0, 0, 640, 400}}, size(at, minWidth, minHeight)},
		"placed by the desktop":      {away(at), []display{left}, away(at)},
		"large, second display gone": {size(to(2000, 0), 1500, 900), []display{{0, 0, 1280, 800}}, size(away(to(2000, 0)), 1280, 800)},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.from.fit(c.displays); got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}
