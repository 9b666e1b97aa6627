import { Section } from "../../lib/elements/page.tsx";
import { CopyButton } from "../../lib/text/code.tsx";
import { curl, exportAddress, python, type SameRequest, sql } from "./snippets.ts";

/** Links to the selected requests as files, and the calls with which other programs get them. */
export const ExportPanel = ({ request }: { request: SameRequest }) => (
	<Section id="take" title="Download, or call the API">
		<p>
			<a href={exportAddress(request, "/export/projects.csv")} download>
				CSV
			</a>{" "}
			·{" "}
			<a href={exportAddress(request, "/export/projects.parquet")} download>
				Parquet
			</a>{" "}
			<span class="soft">of the requests chosen here, with every column. Each file counts as one of your calls.</span>
		</p>
		<div class="columns">
			<Snippet name="curl" text={curl(request)} />
			<Snippet name="Python" text={python(request)} />
			<Snippet name="SQL" note="POST /query, database master" text={sql(request)} />
		</div>
	</Section>
);

function Snippet({ name, text, note }: { name: string; text: string; note?: string }) {
	return (
		<div class="snippet">
			<p>
				<b>{name}</b> {note !== undefined && <span class="soft">{note}</span>}{" "}
				<CopyButton text={text} what={name} class="plain" />
			</p>
			<pre>
				<code>{text}</code>
			</pre>
		</div>
	);
}
