/** Text of third parties as PostgreSQL can store it. Pure. */

/**
 * The same value with half characters (a lone surrogate, which `\\ud800` in JSON makes) replaced by U+FFFD, in texts and in names of
 * fields. Changes it in place where it has to.
 */
export function wellFormed<T>(value: T): T {
	if (typeof value === "string") return value.toWellFormed() as T;
	const left: unknown[] = [value];
	while (left.length > 0) {
		const one = left.pop();
		if (typeof one !== "object" || one === null || ArrayBuffer.isView(one)) continue;
		const fields = one as Record<string, unknown>;
		for (const key of Object.keys(fields)) {
			const held = fields[key];
			if (typeof held === "string") {
				if (!held.isWellFormed()) fields[key] = held.toWellFormed();
			} else if (typeof held === "object" && held !== null) left.push(held);
			if (!key.isWellFormed()) {
				fields[key.toWellFormed()] = fields[key];
				delete fields[key];
			}
		}
	}
	return value;
}
