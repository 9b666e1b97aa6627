import { CopyButton } from "../../lib/text/code.tsx";
import { type Asked, addressOf, curl, python, sql } from "./snippets.ts";

/** What is seen, to take along: as a file, and as the same question in other languages. */
export function ExportPanel({ asked }: { asked: Asked }) {
	const parquet = addressOf(asked, "/export/projects.parquet");
	return (
		<section aria-labelledby="take">
			<h2 id="take">Take it along</h2>
			<p>
				<a href={addressOf(asked, "/export/projects.csv")} download>
					CSV
				</a>{" "}
				·{" "}
				<a href={parquet} download>
					Parquet
				</a>{" "}
				<span class="soft">
					of every request that is chosen here, with every column. Files count as calls of yours.
				</span>
			</p>
			<div class="columns">
				<Snippet name="curl" text={curl(asked)} />
				<Snippet name="Python" text={python(asked)} />
				<Snippet name="SQL" note="POST /query, database master" text={sql(asked)} />
			</div>
		</section>
	);
}

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
