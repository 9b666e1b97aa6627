import type { Reply } from "#libs/contract/index.ts";
import { useOperation } from "../../lib/api/use-read.tsx";
import { Section } from "../../lib/elements/page.tsx";
import { type Column, Table } from "../../lib/elements/table.tsx";
import { safeText } from "../../lib/text/format.ts";
import { unknown } from "./cells.tsx";

type Source = Reply<"getDataCatalog">["datasets"][number]["sources"][number];

/** Reads the loaded sources of the datasets. */
export function useSources(datasets: readonly string[]) {
	const { data, ...state } = useOperation("getDataCatalog", "/catalog/data");
	const found = data?.datasets.filter(({ name }) => datasets.includes(name)) ?? [];
	const sources = found.flatMap(({ sources }) => sources.filter(({ records }) => records !== 0));
	const days = sources.flatMap(({ last_changed }) => last_changed?.slice(0, 10) ?? []).toSorted();
	const isSample = found.some(({ sample }) => sample);
	const titles = new Map(data?.datasets.flatMap(({ sources }) => sources.map(({ source, title }) => [source, title])));
	return { state, sources, titles, isSample, oldest: days[0], newest: days.at(-1) };
}

/** A table of the sources with publisher, license and day: the day in the newest list, or the day on which it was loaded if it contains none. */
export const Sources = ({ state, sources, isSample }: ReturnType<typeof useSources>) => (
	<Section id="sources" title="Sources" reads={[state]}>
		{isSample && <p>The loaded data is the bundled sample: it is invented, and not published by these sources.</p>}
		<Table
			scrolls="Sources of the rows"
			rows={sources}
			attributes={({ source }) => ({ "data-source": source })}
			columns={columns}
		/>
		<p class="soft">
			Which lists are late or held back: <a href="/status">status</a>.
		</p>
	</Section>
);

const columns: Column<Source>[] = [
	["Source", ({ title, url }) => (url === null ? title : <a href={url}>{title}</a>), "wrapped"],
	["Publisher", ({ publisher }) => safeText(publisher), "wrapped"],
	["Day stated or loaded", ({ last_changed }) => last_changed?.slice(0, 10) ?? unknown, "day"],
	["License", ({ licence }) => safeText(licence, 300), "wrapped"],
];
