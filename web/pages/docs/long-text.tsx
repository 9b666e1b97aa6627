import { useState } from "preact/hooks";
import { Code } from "../../lib/code.tsx";
import { count } from "../../lib/format.ts";

const fewLines = 40;

/** The beginning, and the whole where it is asked for. */
export function LongText({ text, name }: { text: string; name: string }) {
	const [isWhole, setIsWhole] = useState(false);
	const lines = text.split("\n");
	const isShort = lines.length <= fewLines + 5;
	return (
		<>
			<Code text={isWhole || isShort ? text : `${lines.slice(0, fewLines).join("\n")}\n…`} copied={text} name={name} />
			{!isShort && (
				<button type="button" class="small" onClick={() => setIsWhole(!isWhole)}>
					{isWhole ? "Show the beginning" : `Show all ${count(lines.length)} lines`}
				</button>
			)}
		</>
	);
}
