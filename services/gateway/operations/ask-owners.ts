/** The bus-only operations that the gateway's own answers are made of, through the response cache. */
import type { Reply } from "#libs/contract/index.ts";
import type { ResponseCache } from "../response-cache/response-cache.ts";

/** The bus-only operations that the gateway's own answers are made of. None has parameters. */
type Part =
	| "describeDatabases"
	| "describeSignalDatabases"
	| "describeScoringDatabases"
	| "listPipelines"
	| "listSignalPipelines"
	| "listScoringPipelines"
	| "listSources"
	| "listSignalSources"
	| "listScoringSources"
	| "describeCoverage"
	| "describeSignalCoverage"
	| "listPlans";

/** Asks the owner of a part. Throws AppError, 503 when it does not answer. */
export type AskOwners = <N extends Part>(name: N) => Promise<Reply<N>>;

/** Through what is kept: health can be asked for as often as anyone likes. */
export function askOwners(answers: ResponseCache): AskOwners {
	return async <N extends Part>(name: N) => {
		const { bytes } = await answers.get<Part>(name, {});
		return JSON.parse(bytes.toString()) as Reply<N>;
	};
}

export interface Parts {
	/** What was answered, by the service that was asked. */
	absent: Set<string>;
	/** The part, or `instead` where its owner does not answer, which is remembered. */
	of<T>(owner: string, asked: Promise<T>, instead: T): Promise<T>;
}

export function partsOf(): Parts {
	const absent = new Set<string>();
	return {
		absent,
		of: (owner, asked, instead) =>
			asked.catch(() => {
				absent.add(owner);
				return instead;
			}),
	};
}
