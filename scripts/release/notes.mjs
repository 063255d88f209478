/** The section of a version in the changelog, without its heading. Undefined if there is none, or if it is empty. */
export function notesOf(changelog, version) {
    const [, ...sections] = changelog.split(/^## /m);
    const section = sections.find((text) => text.split("\n")[0].split(" ")[0] === version);
    const text = section?.slice(section.indexOf("\n")).trim();
    return text ? `${text}\n` : undefined;
}
