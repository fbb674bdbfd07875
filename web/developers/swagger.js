// What Swagger UI leaves to the page around it: a width for phones, a main part, and names for what has none.
const viewport = document.createElement('meta');
viewport.name = 'viewport';
viewport.content = 'width=device-width, initial-scale=1';
document.head.append(viewport);
document.querySelector('#swagger-ui').setAttribute('role', 'main');
