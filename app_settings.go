//go:build !headless

package main

import "palimpsest/backend"

// UseModel writes the address of a server and a model into the settings.
func (a *App) UseModel(baseURL, model string) (err error) {
	defer safely(&err)
	return a.backend.UseModel(baseURL, model)
}

// UseProvider puts a provider of the settings into use, and a model of it if one is named.
func (a *App) UseProvider(name, model string) (err error) {
	defer safely(&err)
	return a.backend.UseProvider(name, model)
}

// SetProvider writes a provider into the settings.
func (a *App) SetProvider(p backend.NewProvider) (err error) {
	defer safely(&err)
	return a.backend.SetProvider(p)
}

// RemoveProvider takes a provider out of the settings, and returns what PutBack takes for it.
func (a *App) RemoveProvider(name string) (undo string, err error) {
	defer safely(&err)
	return a.backend.RemoveProvider(name)
}

// SetKey keeps a key in the system's keychain. It takes care of its own panics, since Wails would write down the
// arguments of a call that has one. It returns what PutBack takes for the key that it replaced.
func (a *App) SetKey(place backend.KeyPlace, key string) (undo string, err error) {
	defer safely(&err)
	return a.backend.SetKey(place, key)
}

// ForgetKey removes a key from the system's keychain, and returns what PutBack takes for it.
func (a *App) ForgetKey(place backend.KeyPlace) (undo string, err error) {
	defer safely(&err)
	return a.backend.ForgetKey(place)
}

// PutBack undoes what was taken out of the settings, and tells whether all is as it was.
func (a *App) PutBack(undo string) (asItWas bool, err error) {
	defer safely(&err)
	return a.backend.PutBack(undo)
}
