// Package localsocket is where a server and the programs beside it on the same
// machine meet: a Unix socket in the state folder, which only the same user can open.
// It knows folders and connections, and nothing of what is said over them.
package localsocket
