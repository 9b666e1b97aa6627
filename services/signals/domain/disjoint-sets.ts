/** Sets that grow by joining two members' sets (union-find). Pure. */

export class DisjointSets {
	readonly #parents = new Map<string, string>();

	/** The member that stands for this one's set: the same for all its members until the set is joined again. */
	find(member: string): string {
		let top = member;
		for (let parent = this.#parents.get(top); parent !== undefined; parent = this.#parents.get(top)) top = parent;
		// Every member on the way points at the top from now on, so that no way stays long.
		for (let at = member; at !== top; ) {
			const next = this.#parents.get(at) ?? top;
			this.#parents.set(at, top);
			at = next;
		}
		return top;
	}

	join(one: string, other: string): void {
		const [a, b] = [this.find(one), this.find(other)];
		if (a !== b) this.#parents.set(a, b);
	}
}
