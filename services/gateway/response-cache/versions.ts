/** The data version of each owner, as far as it is known and recent. */
import { type OperationName, type OperationShape, type Owner, operations } from "#libs/contract/index.ts";

/** An owner that has been silent for longer (ms) may have changed its data unnoticed: its answers are not reused. */
const heartbeatLimitMs = 10_000;

export class DataVersions {
	readonly #known = new Map<Owner, { version: number; receivedAt: number }>();
	readonly #onRestored: (owner: Owner) => void;
	readonly #now: () => number;

	/** `onRestored`: an owner's version went back, so equal numbers no longer mean equal data. `now`: monotonic ms. */
	constructor(onRestored: (owner: Owner) => void, now: () => number) {
		this.#onRestored = onRestored;
		this.#now = now;
	}

	/** An announcement or a heartbeat. */
	onVersion(owner: Owner, version: number): void {
		const known = this.#known.get(owner);
		if (known !== undefined && version < known.version) this.#onRestored(owner);
		this.#known.set(owner, { version, receivedAt: this.#now() });
	}

	/** A reply can be ahead of its announcement. It is no heartbeat: that announcements arrive is not shown by it. */
	replied(owner: Owner, version: number): void {
		const known = this.#known.get(owner);
		if (known !== undefined && version > known.version) known.version = version;
	}

	/** The version that answers may be reused for; undefined without a recent heartbeat. */
	current(owner: Owner): number | undefined {
		const known = this.#known.get(owner);
		if (known === undefined || this.#now() - known.receivedAt > heartbeatLimitMs) return undefined;
		return known.version;
	}
}

/**
 * The data version of the other owner; undefined where the answer has none, NaN, which equals nothing, where it is not known. `current`: of an
 * owner.
 */
export function otherVersion(
	name: OperationName,
	params: { as_of?: unknown; from?: unknown },
	current: (owner: Owner) => number | undefined,
): number | undefined {
	const { ofDayWith }: OperationShape = operations[name];
	const isOfDay = params.as_of !== undefined || params.from !== undefined;
	return ofDayWith === undefined || !isOfDay ? undefined : (current(ofDayWith) ?? Number.NaN);
}
