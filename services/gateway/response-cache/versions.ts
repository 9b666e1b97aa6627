/** The data version of each owner, if it was announced recently. */
import { type OperationName, type OperationShape, type Owner, operations } from "#libs/contract/index.ts";

/** If an owner is silent for longer, its cached replies are not used, because an announcement of changed data may have been lost. */
const heartbeatLimitMs = 10_000;

export class DataVersions {
	readonly #known = new Map<Owner, { version: number; receivedAt: number }>();
	readonly #onRestored: (owner: Owner) => void;
	readonly #now: () => number;

	/** `onRestored`: called when an owner's version decreases, after which the same version no longer means the same data. `now`: monotonic ms. */
	constructor(onRestored: (owner: Owner) => void, now: () => number) {
		this.#onRestored = onRestored;
		this.#now = now;
	}

	onVersion(owner: Owner, version: number): void {
		const known = this.#known.get(owner);
		if (known !== undefined && version < known.version) this.#onRestored(owner);
		this.#known.set(owner, { version, receivedAt: this.#now() });
	}

	/** Records the version of a reply, which can be ahead of the announcement. It does not count as a heartbeat, because announcements may be lost. */
	replied(owner: Owner, version: number): void {
		const known = this.#known.get(owner);
		if (known !== undefined && version > known.version) known.version = version;
	}

	/** The version for which cached replies may be used; undefined without a recent heartbeat. */
	current(owner: Owner): number | undefined {
		const known = this.#known.get(owner);
		if (known === undefined || this.#now() - known.receivedAt > heartbeatLimitMs) return undefined;
		return known.version;
	}
}

/**
 * The data version of the second owner of a reply about a past day. Undefined if there is no second owner; NaN if its version is unknown, because
 * NaN equals nothing.
 */
export function secondOwnerVersion(
	name: OperationName,
	params: { as_of?: unknown; from?: unknown },
	current: (owner: Owner) => number | undefined,
): number | undefined {
	const { ofDayWith }: OperationShape = operations[name];
	const isOfDay = params.as_of !== undefined || params.from !== undefined;
	return ofDayWith === undefined || !isOfDay ? undefined : (current(ofDayWith) ?? Number.NaN);
}
