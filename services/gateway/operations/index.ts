import type { Handlers } from "#libs/contract/index.ts";
import type { Answers } from "../answers/answers.ts";
import { askOwners } from "./ask-owners.ts";
import { getDocs } from "./get-docs.ts";
import { getFreshness } from "./get-freshness.ts";
import { getHealth } from "./get-health.ts";
import { getHealthDetailed } from "./get-health-detailed.ts";
import { getManifest } from "./get-manifest.ts";
import { getOpenapi } from "./get-openapi.ts";
import { getScore } from "./get-score.ts";
import { getSourceFreshness } from "./get-source-freshness.ts";

export interface OperationsOptions {
	answers: Answers;
	/** Rows of `master` under which the service calls itself unhealthy. */
	minProjects: number;
	/** Where callers reach the service, without a trailing slash; "" for wherever they are. */
	publicUrl: string;
}

/** What the gateway answers itself. */
export function gatewayOperations({ answers, minProjects, publicUrl }: OperationsOptions): Handlers<"gateway"> {
	const ask = askOwners(answers);
	return {
		getScore: getScore(answers),
		getManifest: getManifest(publicUrl),
		getHealth: getHealth(ask, minProjects),
		getHealthDetailed: getHealthDetailed(ask),
		getFreshness: getFreshness(ask),
		getSourceFreshness: getSourceFreshness(ask),
		getOpenapi: getOpenapi(publicUrl),
		getDocs,
	};
}
