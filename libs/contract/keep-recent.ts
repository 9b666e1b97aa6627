/** Sets an entry as the newest of a map that keeps so many: beyond them what was set longest ago goes. */
export function keepRecent<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
	map.delete(key);
	map.set(key, value);
	for (const oldest of map.keys()) {
		if (map.size <= most) return;
		map.delete(oldest);
	}
}
