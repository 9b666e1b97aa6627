/** Operations without HTTP endpoints whose replies are parts of the gateway's own responses. They have no parameters, and their replies are cached. */
import { type Owner, operations, type Reply } from "#libs/contract/index.ts";
import type { ResponseCache } from "../response-cache/response-cache.ts";

export const sourceOperations = ["listSources", "listSignalSources", "listScoringSources"] as const;
export const pipelineOperations = ["listPipelines", "listSignalPipelines", "listScoringPipelines"] as const;
export const databaseOperations = ["describeDatabases", "describeSignalDatabases", "describeScoringDatabases"] as const;

type PartName =
	| (typeof sourceOperations)[number]
	| (typeof pipelineOperations)[number]
	| (typeof databaseOperations)[number]
	| "describeCoverage"
	| "describeSignalCoverage"
	| "listPlans";

/** Requests a part from its owner. @throws AppError 503 if the owner does not respond */
export type ReadPart = <N extends PartName>(name: N) => Promise<Reply<N>>;

export function partReader(responseCache: ResponseCache): ReadPart {
	return async <N extends PartName>(name: N) => {
		const { bytes } = await responseCache.get<PartName>(name, {});
		return JSON.parse(bytes.toString()) as Reply<N>;
	};
}

/** The latest of the times, or null. They are compared as dates and not as texts, because fractions of a second differ in length. */
export const latestOf = (times: (string | null)[]): string | null =>
	times.filter((time) => time !== null).sort((one, other) => Date.parse(other) - Date.parse(one))[0] ?? null;

/** Reads the parts of a response that is useful even if some of them are missing. */
export class PartialResponse {
	readonly #readPart: ReadPart;
	readonly absent = new Set<Owner>();

	constructor(readPart: ReadPart) {
		this.#readPart = readPart;
	}

	/** Reads a part. The result is `fallback` if the owner does not respond. */
	read<N extends PartName, T>(name: N, fallback: T): Promise<Reply<N> | T> {
		return this.#readPart(name).catch(() => {
			this.absent.add(operations[name].owner);
			return fallback;
		});
	}
}
