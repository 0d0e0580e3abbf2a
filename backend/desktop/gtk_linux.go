//go:build cgo && !headless

package desktop

/*
#cgo pkg-config: gtk+-3.0
#include <gtk/gtk.h>

enum { MOST_DISPLAYS = 16 };

typedef struct {
	gboolean placed, maximised, away;
	GdkRectangle frame;
	int displays;
	GdkRectangle display[MOST_DISPLAYS];
} View;

typedef struct {
	GdkRectangle frame;
	gboolean placed, maximised;
} Target;

// The program's window; dialogs belong to it, and menus are no windows of this kind.
static GtkWindow *the_window(void) {
	GtkWindow *found = NULL;
	GList *all = gtk_window_list_toplevels();
	for (GList *l = all; l != NULL; l = l->next) {
		GtkWindow *w = GTK_WINDOW(l->data);
		if (gtk_window_get_window_type(w) == GTK_WINDOW_TOPLEVEL && gtk_window_get_transient_for(w) == NULL && !GTK_IS_DIALOG(w))
			found = w;
	}
	g_list_free(all);
	return found;
}

static void see(View *v) {
	GtkWindow *w = the_window();
	GdkWindow *shown = w ? gtk_widget_get_window(GTK_WIDGET(w)) : NULL;
	v->away = TRUE;
	if (shown == NULL)
		return;
	GdkDisplay *display = gdk_window_get_display(shown);
	GdkWindowState state = gdk_window_get_state(shown);
	v->away = (state & (GDK_WINDOW_STATE_ICONIFIED | GDK_WINDOW_STATE_FULLSCREEN | GDK_WINDOW_STATE_WITHDRAWN)) != 0;
	v->maximised = (state & GDK_WINDOW_STATE_MAXIMIZED) != 0;
	v->placed = g_strcmp0(G_OBJECT_TYPE_NAME(display), "GdkX11Display") == 0;
	gtk_window_get_size(w, &v->frame.width, &v->frame.height);
	gtk_window_get_position(w, &v->frame.x, &v->frame.y);
	v->displays = MIN(gdk_display_get_n_monitors(display), MOST_DISPLAYS);
	for (int i = 0; i < v->displays; i++)
		gdk_monitor_get_workarea(gdk_display_get_monitor(display, i), &v->display[i]);
}

// GTK may be asked on its own thread only. The question is put there; who asks waits, but not for ever, since that
// thread is gone once the window is.
static GMutex lock;
static GCond answered;
static guint64 asked, done;
static View answer;

static gboolean answer_view(gpointer unused) {
	View v = {0};
	see(&v);
	g_mutex_lock(&lock);
	answer = v;
	done = asked;
	g_cond_broadcast(&answered);
	g_mutex_unlock(&lock);
	return G_SOURCE_REMOVE;
}

static gboolean ask_view(View *out, gint64 microseconds) {
	gint64 until = g_get_monotonic_time() + microseconds;
	g_mutex_lock(&lock);
	guint64 mine = ++asked;
	g_mutex_unlock(&lock);
	g_idle_add_full(G_PRIORITY_LOW, answer_view, NULL, NULL); // after put, or a window would be seen on its way
	g_mutex_lock(&lock);
	while (done < mine && g_cond_wait_until(&answered, &lock, until))
		;
	gboolean ok = done >= mine;
	*out = answer;
	g_mutex_unlock(&lock);
	return ok;
}

static gboolean put(gpointer data) {
	Target *t = data;
	GtkWindow *w = the_window();
	if (w != NULL) {
		gtk_window_resize(w, t->frame.width, t->frame.height);
		if (t->placed)
			gtk_window_move(w, t->frame.x, t->frame.y);
		if (t->maximised)
			gtk_window_maximize(w);
	}
	g_free(t);
	return G_SOURCE_REMOVE;
}

// Wails puts the window in the middle of a screen as soon as it may; what is of low priority comes after that.
static void put_window(Target target) {
	Target *t = g_new(Target, 1);
	*t = target;
	g_idle_add_full(G_PRIORITY_LOW, put, t, NULL);
}

static gboolean prefer_dark(gpointer dark) {
	GtkSettings *settings = gtk_settings_get_default();
	if (settings == NULL)
		return G_SOURCE_REMOVE;
	if (dark)
		g_object_set(settings, "gtk-application-prefer-dark-theme", TRUE, NULL);
	else
		gtk_settings_reset_property(settings, "gtk-application-prefer-dark-theme");
	return G_SOURCE_REMOVE;
}

static void set_dark(gboolean dark) { g_idle_add(prefer_dark, dark ? GINT_TO_POINTER(1) : NULL); }
*/
import "C"

import (
	"context"
	"os"
	"time"

	"github.com/wailsapp/wails/v2/pkg/options"
)

// gtkPatience is how long GTK may take to answer: less than a user notices at the end, more than a busy page takes.
const gtkPatience = time.Second

// configure leaves it all to put, which comes after Wails has moved the window to the middle.
func configure(*options.App, place) {}

// look asks GTK what it knows of the window. Wails would wait for ever where the window is gone, does not say where
// displays are, and counts positions from the display that the window happens to be on.
func look(context.Context) (view, bool) {
	var v C.View
	if C.ask_view(&v, C.gint64(gtkPatience.Microseconds())) == 0 {
		return view{}, false
	}
	seen := view{
		place: place{
			Width: int(v.frame.width), Height: int(v.frame.height), X: int(v.frame.x), Y: int(v.frame.y),
			Placed: v.placed != 0, Maximised: v.maximised != 0,
		},
		away: v.away != 0,
	}
	for _, d := range v.display[:v.displays] {
		seen.displays = append(seen.displays, display{X: int(d.x), Y: int(d.y), Width: int(d.width), Height: int(d.height)})
	}
	return seen, true
}

// put brings the window where it was.
func put(_ context.Context, p place) {
	target := C.Target{placed: gboolean(p.Placed), maximised: gboolean(p.Maximised)}
	target.frame.x, target.frame.y = C.int(p.X), C.int(p.Y)
	target.frame.width, target.frame.height = C.int(p.Width), C.int(p.Height)
	C.put_window(target)
}

// setDark makes GTK dark, and with it what the page is told of the desktop. A theme that the user has chosen for GTK
// programs stays.
func setDark(dark bool) {
	if os.Getenv("GTK_THEME") == "" {
		C.set_dark(gboolean(dark))
	}
}

func gboolean(b bool) C.gboolean {
	if b {
		return 1
	}
	return 0
}
