/** Characters that PostgreSQL cannot store or a terminal cannot show. */
export const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/;
