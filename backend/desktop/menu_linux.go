//go:build cgo && !headless

package desktop

/*
#cgo pkg-config: gtk+-3.0
#include <gtk/gtk.h>

typedef struct {
	int menu, item;
	gboolean on;
} Item;

typedef struct {
	int count;
	Item items[];
} Items;

static void find_bar(GtkWidget *widget, gpointer found) {
	if (GTK_IS_MENU_BAR(widget))
		*(GtkWidget **)found = widget;
	else if (GTK_IS_CONTAINER(widget))
		gtk_container_foreach(GTK_CONTAINER(widget), find_bar, found);
}

static GtkWidget *the_bar(void) {
	GtkWidget *found = NULL;
	GList *all = gtk_window_list_toplevels();
	for (GList *l = all; l != NULL; l = l->next)
		gtk_container_foreach(GTK_CONTAINER(l->data), find_bar, &found);
	g_list_free(all);
	return found;
}

static GtkWidget *child(GtkWidget *shell, int at) {
	GList *all = gtk_container_get_children(GTK_CONTAINER(shell));
	GtkWidget *found = g_list_nth_data(all, at);
	g_list_free(all);
	return found;
}

static gboolean set_items(gpointer data) {
	Items *all = data;
	GtkWidget *bar = the_bar();
	for (int i = 0; bar != NULL && i < all->count; i++) {
		GtkWidget *head = child(bar, all->items[i].menu);
		GtkWidget *menu = head ? gtk_menu_item_get_submenu(GTK_MENU_ITEM(head)) : NULL;
		GtkWidget *item = menu ? child(menu, all->items[i].item) : NULL;
		if (item != NULL)
			gtk_widget_set_sensitive(item, all->items[i].on);
	}
	g_free(all);
	return G_SOURCE_REMOVE;
}

static Items *new_items(int count) {
	Items *all = g_malloc0(sizeof(Items) + count * sizeof(Item));
	all->count = count;
	return all;
}

static void set_item(Items *all, int i, Item item) { all->items[i] = item; }

// GTK may be changed on its own thread only.
static void set_menu(Items *all) { g_idle_add(set_items, all); }
*/
import "C"

func setMenu(items []Item) {
	all := C.new_items(C.int(len(items)))
	for i, item := range items {
		C.set_item(all, C.int(i), C.Item{menu: C.int(item.Menu), item: C.int(item.Item), on: gboolean(item.On)})
	}
	C.set_menu(all)
}
