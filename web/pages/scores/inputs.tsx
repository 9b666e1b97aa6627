import { useEffect, useState } from "preact/hooks";
import { words } from "../../lib/format.ts";
import { Head } from "../../lib/head.tsx";

/** What a score is computed from, and whether the hash of it is the one of the answer. */
export function Inputs({ inputs, expected }: { inputs: Record<string, unknown>; expected: string }) {
	const names = Object.keys(inputs).sort();
	const text = JSON.stringify(inputs, names);
	const found = useHash(text);
	return (
		<>
			<h3>Its inputs</h3>
			<p>
				The score is a function of these alone. <code>inputs_hash</code> is the SHA-256 of them as JSON with sorted
				names and no white space.
			</p>
			<p class="hash">
				<code>{expected}</code>{" "}
				{found !== undefined && (
					<b data-figure="hash">{found === expected ? "is what this browser computes" : `is not ${found}`}</b>
				)}
			</p>
			<details>
				<summary>{names.length} inputs</summary>
				<table>
					<Head columns={["Input", "Value"]} />
					<tbody>
						{names.map((name) => (
							<tr key={name}>
								<th scope="row">{words(name)}</th>
								<td>
									<code>{JSON.stringify(inputs[name])}</code>
								</td>
							</tr>
						))}
					</tbody>
				</table>
			</details>
		</>
	);
}

/** SHA-256 in hex; undefined until it is there, and where the page's origin is no secure one. */
function useHash(text: string): string | undefined {
	const [hash, setHash] = useState<string>();
	useEffect(() => {
		let isStale = false;
		setHash(undefined);
		void crypto.subtle?.digest("SHA-256", new TextEncoder().encode(text)).then((bytes) => {
			if (isStale) return;
			setHash([...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join(""));
		});
		return () => {
			isStale = true;
		};
	}, [text]);
	return hash;
}
