/** Reads the values that scoring computes for a request, with their evidence: rows of lists of places, the law, fields of the request. */
import type { Bus } from "#libs/bus/connect.ts";
import { request } from "#libs/bus/requests/request.ts";
import { AppError } from "#libs/contract/errors.ts";
import type { Reply } from "#libs/contract/index.ts";
import type { ProvenanceRule } from "#libs/contract/operations/quality/provenance-rules.ts";
import { type FoundCell, noCell } from "./cells-of-field.ts";

export type Computed = Reply<"readOrigins">;

/** Undefined if scoring does not respond, fails or lacks the request. Responses then contain only the values copied to this service. */
export type ReadComputed = (id: string) => Promise<Computed | undefined>;

/** Undefined if scoring does not respond or fails. */
export type ReadCreditSums = () => Promise<Reply<"sumActiveCredits"> | undefined>;

/** Timeout for scoring's responses (ms); short, because they delay those of this service. */
const timeoutMs = 3_000;

export const createComputedReader =
	(bus: Bus): ReadComputed =>
	(project_id) =>
		parseIfAvailable(request(bus, "readOrigins", { project_id }, { timeoutMs }));

export const createCreditSumsReader =
	(bus: Bus): ReadCreditSums =>
	() =>
		parseIfAvailable(request(bus, "sumActiveCredits", {}, { timeoutMs }));

/** Null if scoring has no study of these requests, does not respond or fails. */
export type ReadCosts = (ids: string[]) => Promise<Reply<"summariseCosts">>;

export const createCostReader =
	(bus: Bus): ReadCosts =>
	async (id) =>
		(await parseIfAvailable<Reply<"summariseCosts">>(request(bus, "summariseCosts", { id }, { timeoutMs }))) ?? null;

async function parseIfAvailable<T>(reply: ReturnType<typeof request>): Promise<T | undefined> {
	try {
		const { bytes } = await reply;
		return JSON.parse(Buffer.from(bytes).toString()) as T;
	} catch (error) {
		if (error instanceof AppError && (error.status === 404 || error.status >= 500)) return undefined;
		throw error;
	}
}

type Citations = NonNullable<Reply<"getProjectProvenance">["data"][number]["citations"]>;
type Listing = Computed["energy_community"];

interface ScoringLinks {
	credit: string;
	score: string;
}

export function toComputedOrigins(computed: Computed, see: ScoringLinks): OtherOrigin[] {
	const { energy_community, low_income, listing_facts: facts, credit, score } = computed;
	const found: OtherOrigin[] = [
		{
			...{ fields: ["energy_community_eligible"], rule: "credit.energy_community", facts },
			...listingEvidence(energy_community, see, citationsOf(credit, /^Energy community/)),
		},
		{
			...{ fields: ["low_income_eligible"], rule: "credit.low_income", facts },
			...listingEvidence(low_income, see, citationsOf(credit, /^Low-income/)),
		},
	];
	if (credit !== null) {
		const { citations, domestic_content: content } = credit;
		const base = { filed: null, see: see.credit, facts: credit.facts };
		const evidence = { method: credit.status, confidence: null, text: credit.reasons.join(" ") || null };
		const content_evidence = { method: content.status, confidence: null, text: content.reason };
		found.push(
			{ ...base, fields: ["tax_credit_type"], rule: "credit.type", evidence, citations },
			{ ...base, fields: ["tax_credit_status"], rule: "credit.status", evidence, citations },
			{ ...base, fields: ["tax_credit_pct", "effective_credit_rate"], rule: "credit.rate", evidence, citations },
			{ ...base, fields: ["estimated_credit_value"], rule: "credit.value", evidence, citations },
			{
				...{
					...base,
					fields: ["domestic_content_eligible", "domestic_content_basis"],
					rule: "credit.domestic_content",
				},
				...{ evidence: content_evidence, citations: citationsOf(credit, /^Domestic content/) },
			},
		);
	}
	if (score !== null) {
		const { score_version, inputs_hash, scored_at, cost } = score;
		const costSource =
			cost === null ? null : [cost.source, cost.file, `SHA-256 ${cost.sha256}`].filter(Boolean).join(", ");
		const costText = costSource === null ? "" : `; interconnection cost ${cost?.usd_per_kw} USD/kW (${costSource})`;
		const text = `inputs_hash ${inputs_hash}, of ${scored_at}${costText}`;
		found.push({
			...{ fields: ["investable", "investability_score"], rule: "score.copy", filed: null, see: see.score },
			...{ facts: score.facts, evidence: { method: `score version ${score_version}`, confidence: null, text } },
		});
	}
	return found;
}

const citationsOf = (credit: Computed["credit"], rule: RegExp): Citations =>
	credit?.citations.filter((citation) => rule.test(citation.rule)) ?? [];

function listingEvidence({ status, reason, file, cells }: Listing, see: ScoringLinks, citations: Citations) {
	const [first, ...inputs] = cells;
	const at = { ...(first ?? noCell), inputs };
	return {
		...{ filed: null, see: see.credit, citations, evidence: { method: status, confidence: null, text: reason } },
		...(file !== null && { report: { file: file.name, sha256: file.sha256, ...at } }),
	};
}

export function toListingFiles(computed: Computed | undefined): Reply<"getProjectProvenance">["files"] {
	const listings = computed === undefined ? [] : [computed.energy_community, computed.low_income];
	return listings.flatMap(({ file }) =>
		file === null
			? []
			: [
					{
						...{ sha256: file.sha256, name: file.name, feed: file.source, url: null, loaded_at: file.loaded_at },
						...{ published_on: file.published_on, as_of: `${file.valid_from}T00:00:00Z`, snapshot_id: null },
					},
				],
	);
}

export interface OtherOrigin {
	fields: readonly string[];
	rule: ProvenanceRule;
	evidence: { method: string; confidence: number | null; text: string | null } | null;
	/** Values that the operator filed instead, by field; null if it filed none. */
	filed: Record<string, unknown> | null;
	see: string | null;
	facts?: readonly string[];
	citations?: Citations;
	report?: FoundCell & { file: string; sha256: string; inputs: FoundCell[] };
}
