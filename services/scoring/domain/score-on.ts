/** The score of a request as of a past day: the one that was published then, else computed again from what is known of the day. Pure. */
import { type AsOfBasis, fittedPeriods } from "#libs/contract/vocabulary.ts";
import { assess, type Basis, type CreditRow, type Request } from "./assess.ts";
import { hashInputs, type Score, type ScoreInputs, scoreProject, tablesOf } from "./score/index.ts";
import { enacted } from "./tax-credits/index.ts";

/** A request as of a day. */
export interface RequestOn extends Request {
	/** `YYYY-MM-DD` */
	day: string;
	/** Number of its state; and the day from which it holds. */
	entry: number;
	valid_from: string;
	open: boolean;
	/** Null where it is not known of that day. */
	needs_capital: boolean | null;
	/** Is it known of that day how its developer was rated, and what its interconnection costs? */
	rated: boolean;
	costed: boolean;
	/** What stood published as that day ended. */
	published: {
		published_at: string;
		score_version: number;
		inputs: ScoreInputs;
		inputs_hash: string;
		credit: CreditRow;
	} | null;
}

export interface ScoreOn {
	score: Score;
	inputs: ScoreInputs;
	hash: string;
	credit: CreditRow;
	basis: AsOfBasis;
	/** When it was published, or the day from which its facts hold. */
	since: string;
	/** Inputs of which it is not known what they were on that day. */
	unknown: (keyof ScoreInputs)[];
}

/** What the request's own row does not say. */
const ofOthers = [
	"credit_conditional",
	"credit_rate",
	"credit_type",
	"developer_record",
	"distress",
	"duplicate",
	"high_ic_cost",
] as const satisfies (keyof ScoreInputs)[];

/** The law is that of the day, as far back as its rows go; `basis` has the lists of places in use, and no day. */
export function scoreOn(request: RequestOn, version: number, basis: Omit<Basis, "today">): ScoreOn {
	const { inputs, hash, credit, scores } = assess(request, [version], { ...basis, today: request.day });
	const { published } = request;
	if (published?.score_version === version && isOfThese(published, inputs))
		return {
			score: scoreProject(published.inputs, tablesOf(version)),
			inputs: published.inputs,
			hash: published.inputs_hash,
			credit: published.credit,
			basis: "published",
			since: published.published_at,
			unknown: [],
		};
	const [computed] = scores;
	if (computed === undefined) throw new Error(`version ${version} gave no score`);
	const since = `${request.valid_from}T00:00:00Z`;
	const unknown = unknownOf(request, basis);
	return { score: computed.score, inputs, hash, credit, basis: "recomputed", since, unknown };
}

/** Was it computed from the same facts of the request itself? What others say, the service knew better then than now. */
function isOfThese(published: RequestOn["published"] & object, inputs: ScoreInputs): boolean {
	const then = Object.fromEntries(ofOthers.map((name) => [name, published.inputs[name]]));
	return hashInputs({ ...inputs, ...then }) === published.inputs_hash;
}

function unknownOf({ day, rated, costed }: RequestOn, { references }: Omit<Basis, "today">): ScoreOn["unknown"] {
	// The law before the present one is not among its rows.
	const listed = references.energyCommunities;
	return [
		...(day < enacted || (listed !== null && listed.validFrom > day) ? (["credit_rate"] as const) : []),
		...(rated ? [] : (["distress"] as const)),
		...(costed ? [] : (["high_ic_cost"] as const)),
	];
}

/** Was the version fitted on lists of that day or later: does it know what became of such requests? */
export const isInSample = (version: number, day: string): boolean => {
	const period = fittedPeriods[version];
	return period !== undefined && day <= period.to;
};
