import { useOperation } from "../api/use-read.tsx";
import { Section } from "../elements/page.tsx";
import { Table } from "../elements/table.tsx";
import { ago, count } from "../text/format.ts";

/** Every source with records: when it was last checked, and when it last changed. */
export function Sources() {
	const state = useOperation("getSourceFreshness", "/source-freshness", {}, 300_000);
	return (
		<Section id="sources" title="Sources and their age" reads={[state]}>
			<Table
				rows={state.data?.sources.filter(({ records }) => records > 0) ?? []}
				columns={[
					["Source", ({ source }) => source],
					["Records", ({ records }) => count(records), "number"],
					["Looked at", ({ last_checked }) => <Age time={last_checked} />],
					["Changed", ({ last_changed }) => <Age time={last_changed} />],
				]}
			/>
		</Section>
	);
}

const Age = ({ time }: { time: string | null }) =>
	time === null ? (
		"–"
	) : (
		<time dateTime={time} title={time}>
			{ago(time, Date.now())}
		</time>
	);
