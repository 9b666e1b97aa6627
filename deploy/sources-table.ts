/** The tables of docs/sources.md, made from the adapters. */
import { sourceNotes, undescribed } from "../services/gateway/documents/source-notes.ts";
import { datasets } from "../services/queue-ingest/datasets/index.ts";
import { eia860 } from "../services/queue-ingest/plants/sources/index.ts";
import { notes } from "../services/queue-ingest/quality/coverage/list-sources.ts";
import { isPolled, pollHours, retryHours } from "../services/queue-ingest/queues/jobs/refresh-source.ts";
import { programmes, sources } from "../services/queue-ingest/queues/sources/index.ts";
import { references } from "../services/scoring/operations/sources.ts";
import { eightKSteps } from "../services/signals/filings/poll.ts";
import { newsSteps } from "../services/signals/news/poll.ts";
import { hosts, policyOf } from "../services/signals/polling/hosts.ts";
import { formDSteps } from "../services/signals/raises/poll.ts";
import { pipelines } from "../services/signals/records/records.ts";

interface Row {
	feed: string;
	layout: { formats: string; verified: string };
	maxAgeHours: number;
	/** Empty for a source that is loaded by hand. */
	polled?: string;
}

const steps = { news: newsSteps, "8-k": eightKSteps, "form-d": formDSteps };

const rows: readonly Row[] = [
	...[...sources, ...programmes].map((source) => ({
		...source,
		...(isPolled(source) && { polled: `every ${pollHours(source)} h, after a failure ${retryHours} h` }),
	})),
	eia860,
	...datasets,
	...pipelines.map(({ name, ...rest }) => {
		const minutes = steps[name].map(({ everyMinutes }) => everyMinutes);
		return { feed: name, ...rest, polled: `every ${Math.min(...minutes)} to ${Math.max(...minutes)} minutes` };
	}),
	...Object.entries(references).map(([feed, rest]) => ({ feed, ...rest })),
];

/** Every source with its terms and maximum age; the hosts of news and filings, with the rate of requests. */
export async function sourcesTables(): Promise<string> {
	return [sourcesTable(), "## Hosts of news and filings", hostsTable()].join("\n\n");
}

function sourcesTable(): string {
	const lines = rows.map(({ feed, layout, maxAgeHours, polled = "by hand" }) => {
		const { title, publisher, url, cadence, licence } = notes[feed] ?? sourceNotes[feed] ?? undescribed(feed);
		const days = Math.round(maxAgeHours / 24);
		const cells = [
			`\`${feed}\`: ${title}`,
			publisher,
			url ?? "",
			layout.formats,
			layout.verified,
			cadence,
			polled,
			`${days} days`,
		];
		return `| ${[...cells, licence].join(" | ")} |`;
	});
	return [
		"| Source | Publisher | Address | Formats | Verified | Published | Loaded | Stale after | License |",
		"|---|---|---|---|---|---|---|---:|---|",
		...lines,
	].join("\n");
}

function hostsTable(): string {
	const { sec, data, search, gkg, gdelt, feeds } = hosts;
	const addresses = [...new Set([sec, data, search, ...gkg, gdelt, ...feeds.map(({ url }) => url)])];
	const lines = addresses.map((address) => {
		const { perSecond, coolDownMs } = policyOf(new URL(address).host);
		return `| ${address} | ${Math.round(perSecond * 60)} | ${coolDownMs / 60_000} minutes |`;
	});
	return ["| Address | Requests a minute | Pause after a refusal |", "|---|---:|---:|", ...lines].join("\n");
}
