/** The bus-only operations that the gateway's own answers are made of, through the response cache. None has parameters. */
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

/** Requests a part from its owner. @throws AppError 503 when it does not answer */
export type ReadPart = <N extends PartName>(name: N) => Promise<Reply<N>>;

export function partReader(answers: ResponseCache): ReadPart {
	return async <N extends PartName>(name: N) => {
		const { bytes } = await answers.get<PartName>(name, {});
		return JSON.parse(bytes.toString()) as Reply<N>;
	};
}

/** The latest of some times, or null. They are compared as dates, because their fractions of a second differ in length. */
export const latestOf = (times: (string | null)[]): string | null =>
	times.filter((time) => time !== null).sort((one, other) => Date.parse(other) - Date.parse(one))[0] ?? null;

/** Requests parts of an answer that is worth having without some of them. */
export class PartialAnswer {
	readonly #readPart: ReadPart;
	readonly absent = new Set<Owner>();

	constructor(readPart: ReadPart) {
		this.#readPart = readPart;
	}

	/** The part, or `instead` when its owner does not answer. */
	of<N extends PartName, T>(name: N, instead: T): Promise<Reply<N> | T> {
		return this.#readPart(name).catch(() => {
			this.absent.add(operations[name].owner);
			return instead;
		});
	}
}
