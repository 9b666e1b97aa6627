import { CopyButton } from "../../lib/copy-button.tsx";
import { csvOf, jsonOf, save } from "./export.ts";
import { curlOf, pythonOf } from "./programs.ts";
import type { Result } from "./run.ts";
import type { Statement } from "./statement.ts";

/** The rows at hand as a file. */
export const Files = ({ result }: { result: Result }) => (
	<>
		<button type="button" class="plain" onClick={() => save("result.csv", "text/csv;charset=utf-8", csvOf(result))}>
			Save CSV
		</button>
		<button type="button" class="plain" onClick={() => save("result.json", "application/json", jsonOf(result))}>
			Save JSON
		</button>
	</>
);

/** The statement as a program would run it. */
export function Commands({ statement, hasKey }: { statement: Statement; hasKey: boolean }) {
	const caller = { origin: location.origin, hasKey };
	const commands = [
		["curl", curlOf(statement, caller)],
		["Python", pythonOf(statement, caller)],
	] as const;
	return (
		<section aria-labelledby="commands">
			<h2 id="commands">The same in a program</h2>
			{commands.map(([name, text]) => (
				<details key={name}>
					<summary>{name}</summary>
					<pre>
						<code data-command={name}>{text}</code>
					</pre>
					<p>
						<CopyButton text={text} label={`Copy for ${name}`} class="plain" />
					</p>
				</details>
			))}
			<p class="soft">
				With <code>Accept: text/csv</code> or <code>application/vnd.apache.parquet</code> the answer is a file.
				{hasKey && " The variable KEY holds your key."}
			</p>
		</section>
	);
}
