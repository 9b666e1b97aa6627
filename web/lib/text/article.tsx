import type { ComponentChild } from "preact";
import { type Block, blocksOf, type Inline, idOf, inlinesOf } from "#libs/contract/documents/markdown.ts";
import { Code } from "./code.tsx";

interface ArticleProps {
	text: string;
	level: 2 | 3;
}

/** Renders Markdown. `$BASE` is replaced with the URL of this service. */
export const Article = ({ text, level }: ArticleProps) => (
	<>
		{blocksOf(text.replaceAll("$BASE", location.origin)).map((block, index) => (
			<BlockView key={`${index}`} block={block} level={level} />
		))}
	</>
);

function BlockView({ block, level }: { block: Block } & Pick<ArticleProps, "level">) {
	if (block.kind === "heading") {
		const Heading = `h${level}` as const;
		return <Heading id={idOf(block.text)}>{block.text}</Heading>;
	}
	if (block.kind === "code")
		return <Code text={block.text} name={codeLabel(block.language)} language={block.language} />;
	if (block.kind === "paragraph")
		return (
			<p>
				<InlineText text={block.text} />
			</p>
		);
	if (block.kind === "table") throw new Error("the text contains a table, which this page cannot render");
	return <TextList texts={block.items} />;
}

export const TextList = ({ texts }: { texts: readonly string[] }) => (
	<ul>
		{texts.map((text) => (
			<li key={text}>
				<InlineText text={text} />
			</li>
		))}
	</ul>
);

export const InlineText = ({ text }: { text: string }) => (
	<>
		{inlinesOf(text).map((inline, index) => (
			<InlineView key={`${index}`} inline={inline} />
		))}
	</>
);

function InlineView({ inline }: { inline: Inline }): ComponentChild {
	if (inline.kind === "link") return <a href={inline.address}>{inline.text}</a>;
	if (inline.kind === "code") return <code>{inline.text}</code>;
	return inline.kind === "strong" ? <b>{inline.text}</b> : inline.text;
}

const codeLabels: Record<string, string> = {
	sh: "the commands",
	js: "the program",
	py: "the program",
	sql: "the statement",
};
const codeLabel = (language: string): string => codeLabels[language] ?? "the text";
