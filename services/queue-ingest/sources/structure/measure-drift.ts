import { gaugeOf, inTime } from "#libs/bus/scrape.ts";
import type { Reply, RequestContext, Versioned } from "#libs/contract/index.ts";
import { type DriftSeverity, driftSeverities } from "#libs/contract/vocabulary.ts";

type Contracts = Reply<"getSourceContracts">;
type Asked = (params: { columns: false }, context: RequestContext) => Promise<Versioned<Contracts>>;

/** How far each newest list, accepted or held back, is from the structure of the list before it, as /source-contracts has it. */
export function measureDrift(ask: Asked): void {
	const contracts = inTime(async () => {
		const { json } = await ask({ columns: false }, { signal: AbortSignal.timeout(5_000) });
		return (JSON.parse(typeof json === "string" ? json : Buffer.from(json).toString()) as Contracts).data;
	});
	const countOf = ({ drift }: Contracts["data"][number], severity: DriftSeverity) =>
		drift.filter((one) => one.severity === severity).length;
	gaugeOf({
		name: "source_drift",
		help: "Differences between the structure of a list and that of the list accepted before it.",
		labels: ["source", "outcome", "severity"],
		read: async () =>
			(await contracts())?.flatMap((each) =>
				driftSeverities.map((severity) => ({
					labels: { source: each.source, outcome: each.outcome, severity },
					value: countOf(each, severity),
				})),
			),
	});
}
