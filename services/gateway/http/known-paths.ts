/** Which paths exist under which methods, so that a wrong method is distinguished from a wrong path. */

export class KnownPaths {
	readonly #paths = new Map<string, { pattern: RegExp; methods: Set<string> }>();

	/** `path` as Fastify writes it: `/projects/:project_id`. */
	add(methods: string | string[], path: string): void {
		const known = this.#paths.get(path) ?? { pattern: patternOf(path), methods: new Set(["OPTIONS"]) };
		for (const method of [methods].flat()) known.methods.add(method);
		this.#paths.set(path, known);
	}

	/** The value of `Allow` for a path as it was sent, or undefined for one that does not exist. */
	allowed(path: string): string | undefined {
		const methods = new Set<string>();
		for (const known of this.#paths.values()) {
			if (known.pattern.test(path)) for (const method of known.methods) methods.add(method);
		}
		return methods.size === 0 ? undefined : [...methods].sort().join(", ");
	}
}

/** A trailing slash means the same path, as in the router. */
function patternOf(path: string): RegExp {
	const source = path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/:\w+/g, "[^/]+");
	return new RegExp(`^${source === "/" ? "" : source}/?$`);
}
