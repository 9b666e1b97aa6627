/**
 * The requests of Berkeley Lab's file of 2020 in the operators' own words. The file cleans them to "In Progress" or "Not Started", but
 * keeps what the operator said, which says more. Pure.
 */
import type { ConstructionStage, Region, StudyPhase } from "../../libs/contract/vocabulary.ts";
import { iaStatusByPhase } from "../../services/queue-ingest/queues/standardise.ts";
import type { Listed } from "./lists.ts";

interface Meaning {
	phase: StudyPhase | null;
	stage: Extract<ConstructionStage, "early" | "mid" | "late">;
	/** The words are the study's, not the agreement's. */
	study?: true;
}

const executed: Meaning = { phase: "IA Executed", stage: "late" };
const negotiated: Meaning = { phase: "GIA", stage: "late" };
const unstated: Meaning = { phase: null, stage: "early" };

/** In columns with the state of the agreement, "not started" does not concern the studies. */
const ofAgreement = {
	executed,
	"filed unexecuted": executed,
	"in progress": negotiated,
	"not started": unstated,
};

/** The meaning of each operator's statuses, as its own list is read. */
const meanings: Partial<Record<Region, Record<string, Meaning>>> = {
	MISO: {
		"study not started": { phase: "Not Started", stage: "early", study: true },
		"phase 1": { phase: "Feasibility", stage: "early", study: true },
		"phase 2": { phase: "SIS", stage: "early", study: true },
		"phase 3": { phase: "Facilities", stage: "mid", study: true },
		gia: { ...negotiated, study: true },
	},
	CAISO: ofAgreement,
	"ISO-NE": ofAgreement,
	SPP: {
		"not started": { phase: "Not Started", stage: "early" },
		"disis stage": { phase: "SIS", stage: "early", study: true },
		"facility study stage": { phase: "Facilities", stage: "mid", study: true },
		"ia pending": { ...negotiated, study: true },
		"ia fully executed/on schedule": { ...executed, study: true },
	},
};

/** The request with the study phase and stage that the operator's words say. Throws `Error` for words that have no meaning here. */
export function inOperatorsWords(request: Listed, region: Region): Listed {
	const words = request.iaStatusFiled?.toLowerCase() ?? "";
	const meaning = words === "" ? unstated : meanings[region]?.[words];
	if (meaning === undefined)
		throw new Error(`Queued Up 2020 says "${request.iaStatusFiled}" of a request in ${region}`);
	return {
		...request,
		studyPhase: meaning.phase,
		studyPhaseFiled: meaning.study ? request.iaStatusFiled : null,
		iaStatusFiled: meaning.study ? null : request.iaStatusFiled,
		constructionStage: meaning.stage,
		iaStatus: meaning.phase === null ? "In Progress (unknown study)" : iaStatusByPhase[meaning.phase],
	};
}
